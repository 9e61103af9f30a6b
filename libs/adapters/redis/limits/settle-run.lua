--[[
Removes a run from the list of unfinished runs, and releases its reservation of costs. Then adds the cost of the run to
the sums from which later estimates are computed. Writes nothing if the run is not listed and has no reservation.
KEYS[1] asks:{tenant}:unfinished   KEYS[2] usage:{tenant}:reserved   KEYS[3] usage:{tenant}:reserved-until
ARGV[1] the run   ARGV[2] the cost of the run (millionths of a cent), or '' if the run never started
ARGV[3] the tokens of the run
]]
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then return end
local units = { 'microcents', 'tokens' }
-- The number is subtracted from 0, because the negative of 0 would be -0, which HINCRBY rejects.
for _, unit in ipairs(units) do
  local field = ARGV[1] .. ' ' .. unit
  redis.call('HINCRBY', KEYS[2], unit, 0 - tonumber(redis.call('HGET', KEYS[2], field) or 0))
  redis.call('HDEL', KEYS[2], field)
end
if ARGV[2] == '' then return end
for i, unit in ipairs(units) do redis.call('HINCRBY', KEYS[2], 'spent ' .. unit, ARGV[1 + i]) end
-- Halves all sums when 100 runs are counted, so that recent runs have more weight in the mean.
if redis.call('HINCRBY', KEYS[2], 'runs', 1) >= 100 then
  for _, field in ipairs({ 'runs', 'spent microcents', 'spent tokens' }) do
    local half = math.floor(tonumber(redis.call('HGET', KEYS[2], field)) / 2)
    redis.call('HSET', KEYS[2], field, string.format('%.0f', half))
  end
end
