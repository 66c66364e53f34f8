-- Batches of 20 events, each with sequences of its own; one installation for each thread. The file SECRETS has "id secret" lines.
local next_thread = 1

function setup(thread)
  thread:set("number", next_thread)
  next_thread = next_thread + 1
end

function init(args)
  local lines = {}
  for line in io.lines(os.getenv("SECRETS")) do lines[#lines + 1] = line end
  local id, secret = lines[number]:match("(%S+) (%S+)")
  headers = { ["Authorization"] = "Bearer " .. os.getenv("TOKEN"), ["Plot-Installation"] = id, ["Plot-Secret"] = secret,
    ["Content-Type"] = "application/json" }
  sequence = 0
end

function request()
  local events = {}
  for each = 1, 20 do
    sequence = sequence + 1
    events[each] = string.format(
      '{"time":"2026-03-01T10:00:00Z","event":"notification-shown","sequence":%d,"region":"region-%d","visit":"v","campaign":"c","matchIdentifier":"m","message":"Hello","data":""}',
      sequence, sequence % 7)
  end
  return wrk.format("POST", "/device/v1/events", headers, '{"batch":"b' .. sequence .. '","events":[' .. table.concat(events, ",") .. "]}")
end
