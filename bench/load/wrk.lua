-- The load of `npm run bench -- --workers`: the lines of the file BODIES from number FIRST on, as requests.
local bodies = {}
for line in io.lines(os.getenv("BODIES")) do
  bodies[#bodies + 1] = line
end
local sent = tonumber(os.getenv("FIRST"))
local headers = { ["content-type"] = "application/json" }

function request()
  sent = sent + 1
  return wrk.format("POST", nil, headers, bodies[(sent - 1) % #bodies + 1])
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format(
    '{"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"lost":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, lost))
end
