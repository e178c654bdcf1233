-- SPDX-License-Identifier: Apache-2.0
-- step.bimodal: step times that fall into two groups, and switch between them.

--- Mean and variance of sorted[first .. last], from sums of all before a place.
local function moments(sums, squares, first, last)
  local n = last - first + 1
  local mean = (sums[last] - sums[first - 1]) / n
  return mean, math.max(0, (squares[last] - squares[first - 1]) / n - mean * mean)
end

--- The split of sorted values that leaves the least variance inside of both groups (Fisher 1958, Otsu 1979): the last
--- place of the lower group.
local function best_split(sums, squares, n)
  local best, least
  for last = 1, n - 1 do
    local _, below = moments(sums, squares, 1, last)
    local _, above = moments(sums, squares, last + 1, n)
    local inside = last * below + (n - last) * above
    if not least or inside < least then best, least = last, inside end
  end
  return best
end

return {
  detect = function(kd)
    local steps = kd.column("steps", "dur", {where = 'kind == "steady"', by = "start"})
    local n = #steps
    local sorted, sums, squares = {}, {[0] = 0}, {[0] = 0}
    for i = 1, n do sorted[i] = steps[i] end
    table.sort(sorted)
    for i = 1, n do
      sums[i] = sums[i - 1] + sorted[i]
      squares[i] = squares[i - 1] + sorted[i] * sorted[i]
    end

    local last = best_split(sums, squares, n)
    local fast, fast_variance = moments(sums, squares, 1, last)
    local slow, slow_variance = moments(sums, squares, last + 1, n)
    local rarer = math.min(last, n - last) / n
    local spread = math.sqrt((fast_variance + slow_variance) / 2)
    local apart = spread > 0 and (slow - fast) / spread or math.huge  -- Ashman's D
    kd.note(string.format("%d fast and %d slow steps, D = %.1f, slow by %.1f %%", last, n - last, apart,
                          100 * (slow / fast - 1)))
    if rarer < kd.param.rarer:to() or slow < fast * (1 + kd.param.apart:to()) or apart < kd.param.d then return end

    -- Slow from some step on is another matter: a change of phase.
    local switches, before = 0, nil
    for i = 1, n do
      local is_slow = steps[i] > sorted[last]
      if before ~= nil and is_slow ~= before then switches = switches + 1 end
      before = is_slow
    end
    if switches < kd.param.switches then return end

    local lost = sums[n] - sums[last] - (n - last) * fast
    local lower, upper = steps:quantity(fast), steps:quantity(slow)
    kd.finding{
      title = string.format("%d of %d steps take %s instead of %s", n - last, n, upper, lower),
      impact = steps:quantity(lost),
      evidence = {fast = lower, slow = upper, fast_steps = last, slow_steps = n - last, switches = switches},
    }
  end
}
