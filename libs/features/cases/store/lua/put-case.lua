--[[
Stores a case with an expiry, unless the case was removed earlier. Also removes expired cases from the tenant's list.
KEYS[1] case:{tenant}:id   KEYS[2] cases:{tenant}:list   KEYS[3] cases:{tenant}:rows
ARGV[1] id   ARGV[2] decision time (ms)   ARGV[3] the case's list row   ARGV[4] the case   ARGV[5] expiry (ms)
ARGV[6] the channel that reports changes to the review desk
Returns 1, or 0 if the case was removed earlier.
]]
if redis.call('STRLEN', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], ARGV[4], 'PXAT', string.format('%.0f', math.max(now + 1000, ARGV[2] + ARGV[5])))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - ARGV[5]), 'LIMIT', 0, 100)
if #gone > 0 then
  redis.call('ZREM', KEYS[2], unpack(gone))
  redis.call('HDEL', KEYS[3], unpack(gone))
end
redis.call('PEXPIRE', KEYS[2], ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call('PUBLISH', ARGV[6], '')
return 1
