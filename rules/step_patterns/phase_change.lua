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

--- Pettitt's statistic: how much lower or higher the first k values from `first` to `last` rank than all of them. The
--- last of these k, and the chance of as much in values without a change.
local function change_within(values, first, last)
  local part = {}
  for i = first, last do part[#part + 1] = values[i] end
  local n, ranks = #part, ranks_of(part)
  local sum, most, at = 0, -1, 0
  for k = 1, n - 1 do
    sum = sum + ranks[k]
    local u = math.abs(2 * sum - k * (n + 1))
    if u > most then most, at = u, k end
  end
  return first + at - 1, math.min(1, 2 * math.exp(-6 * most * most / (n ^ 3 + n ^ 2)))
end

--- Adds the levels from `first` to `last` to `levels`, in order: each is a part in which nothing more changes.
local function add_levels(levels, values, first, last, param)
  if last - first + 1 >= 2 * param.least then
    local at, p = change_within(values, first, last)
    local before, behind = median_of(values, first, at), median_of(values, at + 1, last)
    local change = math.max(before, behind) / math.min(before, behind) - 1
    if p <= param.p and change >= param.change:to() and math.min(at - first + 1, last - at) >= param.least then
      add_levels(levels, values, first, at, param)
      return add_levels(levels, values, at + 1, last, param)
    end
  end
  levels[#levels + 1] = {first = first, last = last, median = median_of(values, first, last)}
end

return {
  detect = function(kd)
    local steps = kd.column("steps", "dur", {where = 'kind == "steady"', by = "start"})
    local n = #steps
    local at, p = change_within(steps, 1, n)
    kd.note(string.format("after step %d of %d: %s before, %s behind, p = %.2g", at, n,
                          steps:quantity(median_of(steps, 1, at)), steps:quantity(median_of(steps, at + 1, n)), p))
    local levels = {}
    add_levels(levels, steps, 1, n, kd.param)
    if #levels == 1 then return end

    -- By the levels alone: single steps that stand out come with any of them.
    local lowest, highest, lost = math.huge, 0, 0
    for _, level in ipairs(levels) do
      lowest, highest = math.min(lowest, level.median), math.max(highest, level.median)
    end
    local index = kd.column("steps", "index", {where = 'kind == "steady"', by = "start"})
    local medians, last_steps = {}, {}
    for i, level in ipairs(levels) do
      lost = lost + (level.last - level.first + 1) * (level.median - lowest)
      medians[i] = tostring(steps:quantity(level.median))
      last_steps[i] = index[level.last]
    end
    local title = string.format("Steps take %s up to step %d and %s from there on", medians[1], last_steps[1], medians[2])
    if #levels > 2 then
      title = string.format("The time of a step changes %d times, between %s and %s", #levels - 1,
                            steps:quantity(lowest), steps:quantity(highest))
    end
    kd.finding{
      title = title,
      impact = steps:quantity(lost),
      evidence = {levels = table.concat(medians, ", ", 1, math.min(#levels, 4)), last_step_before = last_steps[1], p = p,
                  steps = n},
    }
  end
}
