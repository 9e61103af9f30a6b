--[[
Ends a batch if all lines of the batch have ended.
KEYS[1] batches:{tenant}:batch:<id>   KEYS[2] batches:{tenant}:open   KEYS[3] batches:{tenant}:lines:<lines>
ARGV[1] id   ARGV[2] now (ms)   ARGV[3] expiry (ms)
Returns 1, or 0 if a line has not ended. If the batch is gone, removes its id from KEYS[2].
]]
local held = redis.call('HMGET', KEYS[1], 'total', 'answered', 'failed', 'cancelled', 'status')
if not held[1] then return redis.call('ZREM', KEYS[2], ARGV[1]) end
if (held[2] or 0) + (held[3] or 0) + (held[4] or 0) < tonumber(held[1]) then return 0 end
redis.call('HSET', KEYS[1], 'status', held[5] == 'cancelling' and 'cancelled' or 'finished', 'endedAt', ARGV[2])
redis.call('HDEL', KEYS[1], 'waitsFor')
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 1
