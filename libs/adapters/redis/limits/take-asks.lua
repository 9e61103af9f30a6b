--[[
Takes questions (asks) from the quota of a tenant and from the quota of one of the tenant's API keys. If a quota is used
up, returns the time until the next question is allowed. Also adds the run to the unfinished runs of the tenant. If the
tenant already has the maximum number of unfinished runs, takes nothing.
A quota is stored as the time when the quota is completely unused again. Each ask delays that time by one minute divided
by the limit. That time is never more than a minute ahead.
KEYS[1] asks:{tenant}:all   KEYS[2] asks:{tenant}:<key>   KEYS[3] asks:{tenant}:unfinished
ARGV[1] length of the minute (ms)   ARGV[2] and ARGV[3] asks per minute of the tenant and of the key, 0 for no limit
ARGV[4] maximum number of asks to take   ARGV[5] maximum number of unfinished runs, 0 for no limit
ARGV[6] the run   ARGV[7] the longest time for which a run is counted (ms)
Returns {'taken', number of asks, asks left for the tenant, asks left for the key, ms until both quotas are unused},
{'wait', ms until the next question is allowed, then the last three values as above}, or
{'full', ms since the oldest unfinished run was added}.
]]
local minute, wanted = tonumber(ARGV[1]), tonumber(ARGV[4])
local limits = { tonumber(ARGV[2]), tonumber(ARGV[3]) }
local mostRuns = tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

if mostRuns > 0 and redis.call('ZCARD', KEYS[3]) >= mostRuns and not redis.call('ZSCORE', KEYS[3], ARGV[6]) then
  local oldest = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  return { 'full', math.floor(now - tonumber(oldest[2])) }
end

local whole, left, granted, waitMs, untilWhole = {}, { 0, 0 }, wanted, 0, 0
for i = 1, 2 do
  if limits[i] > 0 then
    whole[i] = math.max(now, tonumber(redis.call('GET', KEYS[i]) or 0))
    local each = minute / limits[i]
    -- Adds a tolerance for rounding errors, because the number was stored as text.
    left[i] = math.floor((minute - (whole[i] - now)) / each + 0.000001)
    granted = math.min(granted, left[i])
    untilWhole = math.max(untilWhole, whole[i] - now)
    if left[i] < 1 then waitMs = math.max(waitMs, math.ceil(whole[i] - now + each - minute)) end
  end
end
if granted < 1 then return { 'wait', math.max(1, waitMs), left[1], left[2], math.ceil(untilWhole) } end

for i = 1, 2 do
  if limits[i] > 0 then
    local at = whole[i] + granted * minute / limits[i]
    untilWhole = math.max(untilWhole, at - now)
    redis.call('SET', KEYS[i], string.format('%.3f', at), 'PX', math.ceil(at - now))
    left[i] = left[i] - granted
  end
end
if mostRuns > 0 then
  redis.call('ZADD', KEYS[3], now, ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[7])
end
return { 'taken', granted, left[1], left[2], math.ceil(untilWhole) }
