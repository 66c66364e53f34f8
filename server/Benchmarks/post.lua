-- Batches of 20 events, of one installation after another, each with sequences of its own. The file SECRETS has "id secret" lines.

function init(args)
  devices = {}
  for line in io.lines(os.getenv("SECRETS")) do
    local id, secret = line:match("(%S+) (%S+)")
    devices[#devices + 1] = {
      sequence = 0,
      headers = { ["Authorization"] = "Bearer " .. os.getenv("TOKEN"), ["Plot-Installation"] = id, ["Plot-Secret"] = secret,
        ["Content-Type"] = "application/json" },
    }
  end
  turn = 0
end

function request()
  turn = turn % #devices + 1
  local device, events = devices[turn], {}
  for each = 1, 20 do
    device.sequence = device.sequence + 1
    events[each] = string.format(
      '{"time":"2026-03-01T10:00:00Z","event":"notification-shown","sequence":%d,"region":"region-%d","visit":"v","campaign":"c","matchIdentifier":"m","message":"Hello","data":""}',
      device.sequence, device.sequence % 7)
  end
  local body = '{"batch":"b' .. device.sequence .. '","events":[' .. table.concat(events, ",") .. "]}"
  return wrk.format("POST", "/device/v1/events", device.headers, body)
end
