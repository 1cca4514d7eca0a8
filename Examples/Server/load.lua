-- One thread of wrk. Each request has an id of its own and the token of some user. An answer must name
-- an id that was sent and not answered yet, and the user who sent it. Whatever is written is the id of
-- its request, so that the database shows afterwards what of the acknowledged is there.

local threads = {}

function setup(thread)
    thread:set("number", #threads + 1)
    table.insert(threads, thread)
end

function init(arguments)
    local folder, run = arguments[1], arguments[2]
    users, sent, count, mismatches = {}, {}, 0, 0
    prefix = run .. "-" .. number .. "-"
    for line in io.lines(folder .. "/users") do
        local id, token, list, inbox = line:match("(%S+) (%S+) (%S+) (%S+)")
        table.insert(users, { id = id, token = "Bearer " .. token, list = list, inbox = inbox })
    end
    acknowledged = io.open(folder .. "/acknowledged-" .. prefix, "w")
    acknowledged:setvbuf("no")
end

function request()
    count = count + 1
    local id = prefix .. count
    local user = users[(count * 7 + number) % #users + 1]
    local headers = { ["authorization"] = user.token, ["x-request-id"] = id }
    local kind = count % 10
    sent[id] = { user = user.id, writes = kind == 0 }
    if kind == 0 then
        headers["content-type"] = "application/json"
        local path = "/lists/" .. user.inbox .. "/items"
        return wrk.format("POST", path, headers, '{"title":"' .. id .. '"}')
    elseif kind == 1 then
        return wrk.format("GET", "/me", headers)
    elseif kind <= 3 then
        return wrk.format("GET", "/lists", headers)
    end
    return wrk.format("GET", "/lists/" .. user.list, headers)
end

function response(status, headers, body)
    local id = headers["x-request-id"]
    local request = id and sent[id]
    if not request or request.user ~= headers["x-user"] then
        mismatches = mismatches + 1
        return
    end
    sent[id] = nil
    if request.writes and status == 201 then acknowledged:write(id .. "\n") end
end

function done(summary, latency, requests)
    local mismatches = 0
    for _, thread in ipairs(threads) do mismatches = mismatches + thread:get("mismatches") end
    local errors = summary.errors
    io.write(string.format(
        '\nRESULT {"requests": %d, "seconds": %f, "p99": %f, "mismatches": %d, "status": %d, "socket": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3, mismatches,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout
    ))
end
