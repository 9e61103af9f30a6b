--[[
Cancels a batch and its unclaimed lines. The batch runner cancels the claimed lines afterwards.
KEYS[1] batches:{tenant}:batch:<id>
Returns 1, or 0 if the batch has already ended or been cancelled.
]]
local held = redis.call('HMGET', KEYS[1], 'status', 'claimed', 'total')
if held[1] ~= 'running' then return 0 end
redis.call('HINCRBY', KEYS[1], 'cancelled', held[3] - held[2])
redis.call('HSET', KEYS[1], 'status', 'cancelling', 'claimed', held[3], 'cancelledFrom', held[2] + 1)
redis.call('HDEL', KEYS[1], 'waitsFor')
return 1
