-- SPDX-License-Identifier: Apache-2.0
-- step.phase-change: from one step on, steps take another time than before.

local function median_of(values, first, last)
  local sorted = {}
  for i = first, last do sorted[#sorted + 1] = values[i] end
  table.sort(sorted)
  local middle = #sorted // 2
  if #sorted % 2 == 1 then return sorted[middle + 1] end
  return (sorted[middle] + sorted[middle + 1]) / 2
end

--- The rank of each value among all; equal ones share the mean of theirs.
local function ranks_of(values)
  local order = {}
  for i = 1, #values do order[i] = i end
  table.sort(order, function(a, b)
    if values[a] ~= values[b] then return values[a] < values[b] end
    return a < b
  end)
  local ranks, first = {}, 1
  while first <= #order do
    local last = first
    while last < #order and values[order[last + 1]] == values[order[first]] do last = last + 1 end
    for i = first, last do ranks[order[i]] = (first + last) / 2 end
    first = last + 1
  end
  return ranks
end

return {
  detect = function(kd)
    local steps = kd.column("steps", "dur", {where = 'kind == "steady"', by = "start"})
    local n = #steps
    local ranks = ranks_of(steps)

    -- Pettitt's statistic: how much lower or higher the first k values rank than all.
    local sum, most, last = 0, -1, 0
    for k = 1, n - 1 do
      sum = sum + ranks[k]
      local u = math.abs(2 * sum - k * (n + 1))
      if u > most then most, last = u, k end
    end
    local p = math.min(1, 2 * math.exp(-6 * most * most / (n ^ 3 + n ^ 2)))
    local before, after = median_of(steps, 1, last), median_of(steps, last + 1, n)
    local change = math.max(before, after) / math.min(before, after) - 1
    kd.note(string.format("after step %d of %d: %s before, %s behind, p = %.2g", last, n, steps:quantity(before),
                          steps:quantity(after), p))
    if p > kd.param.p or change < kd.param.change:to() then return end
    if math.min(last, n - last) < kd.param.least then return end

    -- What the slower part takes longer.
    local first, final = last + 1, n
    if before > after then first, final = 1, last end
    local normal, lost = math.min(before, after), 0
    for i = first, final do lost = lost + math.max(0, steps[i] - normal) end
    local index = kd.column("steps", "index", {where = 'kind == "steady"', by = "start"})
    kd.finding{
      title = string.format("Steps take %s up to step %d and %s from there on", steps:quantity(before), index[last],
                            steps:quantity(after)),
      impact = steps:quantity(lost),
      evidence = {before = steps:quantity(before), behind = steps:quantity(after), last_step_before = index[last],
                  p = p, steps = n},
    }
  end
}
