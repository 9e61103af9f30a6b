--[[
Reserves the estimated cost of a run from the tenant's daily budget. The estimate is the mean cost of the tenant's last
runs, or a default if no run has ended yet. The estimate is never more than the limit of the run. While a tenant has no
reservations, a run is allowed until the budget is spent. A tenant whose budget is below the estimate can therefore
still ask.
KEYS[1] usage:{tenant}:<day>   KEYS[2] usage:{tenant}:reserved   KEYS[3] usage:{tenant}:reserved-until
ARGV[1] the run   ARGV[2] the deadline of the run (ms)   ARGV[3] time after which reservations expire (ms)
ARGV[4] to ARGV[6] costs in microcents (millionths of a cent): the budget, or -1 for no budget; the default estimate;
the limit of the run
ARGV[7] to ARGV[9] the same three values in tokens
KEYS[2] has the fields 'microcents' and 'tokens' (sums of all reservations), '<run> microcents' and '<run> tokens'. For
the estimate, KEYS[2] also has the field 'runs' (the number of runs that have ended), and the fields 'spent microcents'
and 'spent tokens' (the sums of these runs).
Returns 'reserved', 'spent' if the budget is spent, or 'full' if the rest of the budget is reserved for other runs.
]]
local units = { 'microcents', 'tokens' }
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(key, field) return tonumber(redis.call('HGET', key, field) or 0) end

-- Removes at most 100 expired reservations, because Redis does nothing else while a script runs. Later calls remove
-- more.
for _, run in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 100)) do
  redis.call('ZREM', KEYS[3], run)
  -- The number is subtracted from 0, because the negative of 0 would be -0, which HINCRBY rejects.
  for _, unit in ipairs(units) do
    redis.call('HINCRBY', KEYS[2], unit, 0 - number(KEYS[2], run .. ' ' .. unit))
    redis.call('HDEL', KEYS[2], run .. ' ' .. unit)
  end
end
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 'reserved' end

local spent = { number(KEYS[1], 'microcents'), number(KEYS[1], 'tokensIn') + number(KEYS[1], 'tokensOut') }
local runs = number(KEYS[2], 'runs')
local estimates, full = {}, false
for i, unit in ipairs(units) do
  local budget, default, most = tonumber(ARGV[1 + 3 * i]), tonumber(ARGV[2 + 3 * i]), tonumber(ARGV[3 + 3 * i])
  local mean = runs > 0 and math.ceil(number(KEYS[2], 'spent ' .. unit) / runs) or default
  estimates[i] = math.min(mean, most)
  if budget >= 0 then
    if spent[i] >= budget then return 'spent' end
    local reserved = number(KEYS[2], unit)
    if reserved > 0 and spent[i] + reserved + estimates[i] > budget then full = true end
  end
end
if full then return 'full' end

for i, unit in ipairs(units) do
  redis.call('HSET', KEYS[2], ARGV[1] .. ' ' .. unit, string.format('%.0f', estimates[i]))
  redis.call('HINCRBY', KEYS[2], unit, string.format('%.0f', estimates[i]))
end
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 'reserved'
