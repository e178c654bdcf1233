-- SPDX-License-Identifier: Apache-2.0
-- step.periodic-stalls: single steps that are longer than the others, a constant number of steps apart.

local function median(values)
  local sorted = {}
  for i = 1, #values do sorted[i] = values[i] end
  table.sort(sorted)
  local middle = #sorted // 2
  if #sorted % 2 == 1 then return sorted[middle + 1] end
  return (sorted[middle] + sorted[middle + 1]) / 2
end

--- The cause of most of the idle time in some spans; nil when it is not recorded.
local function main_cause(kd, spans)
  if not kd.has("idle.cause") then return nil end
  local by_cause = {}
  for _, cause in ipairs({"host_sync", "data_loading", "runtime", "launch", "communication"}) do
    by_cause[cause] = (kd.spans('idle where cause == "' .. cause .. '"') & spans):length()
  end
  local most, longest = nil, kd.q(0, "ns")
  for cause, time in pairs(by_cause) do
    if time > longest then most, longest = cause, time end
  end
  return most, longest
end

return {
  detect = function(kd)
    local in_time = {where = 'kind == "steady"', by = "start"}
    local steps = kd.column("steps", "dur", in_time)
    local n = #steps
    local usual = median(steps)
    local deviations = {}
    for i = 1, n do deviations[i] = math.abs(steps[i] - usual) end
    -- 1.4826 makes the median deviation of normal values their standard deviation.
    local limit = usual + math.max(kd.param.longer:to() * usual, kd.param.deviations * 1.4826 * median(deviations))

    local stalled = {}
    for i = 1, n do
      if steps[i] > limit then stalled[#stalled + 1] = i end
    end
    kd.note(#stalled .. " of " .. n .. " steps are longer than " .. tostring(steps:quantity(limit)))
    if #stalled < kd.param.least then return end
    local apart = {}
    for i = 2, #stalled do apart[i - 1] = stalled[i] - stalled[i - 1] end
    local period = median(apart)
    local off = 0
    for i = 1, #apart do off = math.max(off, math.abs(apart[i] - period)) end
    kd.note(string.format("they are %g steps apart, at most %g off", period, off))
    -- Every second step is no stall but one of two kinds of step.
    if period < 3 or off > math.max(1, kd.param.jitter:to() * period) then return end

    local lost, spans = 0, {}
    local starts = kd.column("steps", "start", in_time)
    for _, i in ipairs(stalled) do
      lost = lost + steps[i] - usual
      spans[#spans + 1] = {starts[i], starts[i] + steps[i]}
    end
    local cause, idle = main_cause(kd, kd.intervals(spans))
    local each, every = steps:quantity(lost / #stalled), steps:quantity(period * usual)
    local message = string.format("%d of %d steps are longer, each by %s.", #stalled, n, each)
    if cause then
      message = message .. string.format(" The device is idle in them mostly for %s: %s in all.", cause, idle)
    end
    kd.finding{
      title = string.format("Every %g steps (about %s) one takes %s longer", period, every, each),
      message = message,
      impact = steps:quantity(lost),
      evidence = {period = period, every = every, longer = each, stalls = #stalled, usual = steps:quantity(usual),
                  cause = cause or "not recorded"},
    }
  end
}
