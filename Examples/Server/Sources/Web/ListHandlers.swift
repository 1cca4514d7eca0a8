import Hummingbird
import Lists

/// What answers the requests to lists, however it comes to the services of a request.
package struct ListHandlers<Context: UserContext>: Sendable {
    private let lists: @Sendable (Context) throws -> any ListService

    package init(lists: @escaping @Sendable (Context) throws -> any ListService) {
        self.lists = lists
    }

    package func addRoutes(to group: RouterGroup<Context>) {
        group.get("me", use: me)
        group.group("lists")
            .get(use: all)
            .post(use: create)
            .get(":list", use: contents)
            .get(":list/export", use: export)
            .post(":list/items", use: add)
            .put(":list/items/:item", use: set)
            .put(":list/members/:user", use: share)
    }

    @Sendable func me(_ request: Request, _ context: Context) async throws -> Answer<Caller> {
        let caller = try lists(context).caller
        return Answer(caller, for: caller)
    }

    @Sendable func all(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<[TodoList]> {
        let lists = try lists(context)
        return Answer(try await lists.lists(), for: lists.caller)
    }

    @Sendable func create(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<TodoList> {
        let new = try await request.decode(as: NewEntry.self, context: context)
        let lists = try lists(context)
        let list = try await lists.create(title: new.title)
        return Answer(list, for: lists.caller, status: .created)
    }

    @Sendable func contents(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<ListContents> {
        let lists = try lists(context)
        return Answer(try await lists.contents(of: context.id("list")), for: lists.caller)
    }

    @Sendable func add(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<Item> {
        let new = try await request.decode(as: NewEntry.self, context: context)
        let lists = try lists(context)
        let item = try await lists.add(title: new.title, to: context.id("list"))
        return Answer(item, for: lists.caller, status: .created)
    }

    @Sendable func set(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<Item> {
        let state = try await request.decode(as: ItemState.self, context: context)
        let lists = try lists(context)
        let item = try await lists.set(
            isDone: state.isDone,
            of: context.id("item"),
            in: context.id("list")
        )
        return Answer(item, for: lists.caller)
    }

    @Sendable func share(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<Response> {
        let lists = try lists(context)
        try await lists.share(context.id("list"), with: context.id("user"))
        return Answer(Response(status: .noContent), for: lists.caller, status: .noContent)
    }

    @Sendable func export(
        _ request: Request,
        _ context: Context
    ) async throws -> Answer<Response> {
        let lists = try lists(context)
        let lines = try await lists.export(context.id("list"))
        let response = Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(lines: lines)
        )
        return Answer(response, for: lists.caller)
    }
}
