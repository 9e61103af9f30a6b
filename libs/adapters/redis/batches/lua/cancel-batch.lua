--[[
Asks no more lines of a batch: those that were not taken are cancelled now, the others by whoever feeds it.
KEYS[1] batches:{tenant}:batch:<id>
Returns 1, or 0 where it is through or cancelled already.
]]
local held = redis.call('HMGET', KEYS[1], 'status', 'claimed', 'total')
if held[1] ~= 'running' then return 0 end
redis.call('HINCRBY', KEYS[1], 'cancelled', held[3] - held[2])
redis.call('HSET', KEYS[1], 'status', 'cancelling', 'claimed', held[3], 'cancelledFrom', held[2] + 1)
redis.call('HDEL', KEYS[1], 'waitsFor')
return 1
