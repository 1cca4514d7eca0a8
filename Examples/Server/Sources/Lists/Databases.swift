import Foundation
import GRDB

extension DatabasePool {
    /// Opens the database that is written to, and brings its tables up to date.
    package static func openPrimary(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path)
        try migrations.migrate(pool)
        return pool
    }

    /// Opens a database that is read only.
    ///
    /// It must exist: the primary comes first. Here it is the same file, which stands for a copy that follows the primary.
    package static func openReplica(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabasePool(path: path, configuration: configuration)
    }

    private static var migrations: DatabaseMigrator {
        var migrations = DatabaseMigrator()
        migrations.registerMigration("users and lists") { db in
            try db.create(table: "user") { table in
                table.primaryKey("id", .blob)
                table.column("name", .text).notNull()
                table.column("token", .text).notNull().unique()
            }
            try db.create(table: "list") { table in
                table.primaryKey("id", .blob)
                table.column("title", .text).notNull()
                table.column("createdAt", .datetime).notNull()
            }
            try db.create(table: "member") { table in
                table.column("listID", .blob).notNull().references("list", onDelete: .cascade)
                table.column("userID", .blob).notNull().references("user", onDelete: .cascade)
                table.primaryKey(["userID", "listID"])
            }
            try db.create(table: "item") { table in
                table.primaryKey("id", .blob)
                table.column("listID", .blob).notNull().indexed()
                    .references("list", onDelete: .cascade)
                table.column("title", .text).notNull()
                table.column("isDone", .boolean).notNull()
            }
        }
        return migrations
    }
}
