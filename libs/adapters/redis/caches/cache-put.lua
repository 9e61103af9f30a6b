--[[
Stores a value with an expiry time, and removes expired entries. If too many entries remain, also removes the entries
that expire first.
KEYS[1] cache:{<name>}:entries   KEYS[2] cache:{<name>}:ends
ARGV[1] field   ARGV[2] value   ARGV[3] time until the value expires (ms)   ARGV[4] maximum number of entries
Returns the number of entries after the removal.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)
local over = redis.call('ZCARD', KEYS[2]) - #gone - tonumber(ARGV[4])
if over > 0 then
  for _, field in ipairs(redis.call('ZRANGE', KEYS[2], #gone, #gone + math.min(over, 100) - 1)) do gone[#gone + 1] = field end
end
if #gone > 0 then
  redis.call('ZREM', KEYS[2], unpack(gone))
  redis.call('HDEL', KEYS[1], unpack(gone))
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return redis.call('ZCARD', KEYS[2])
