--[[
Stores a webhook delivery, unless it exists already.
KEYS[1] webhook:{id}:delivery
ARGV[1] expiry (ms)   ARGV[2] and later: pairs of field and value
Returns 1, or 0 if the webhook delivery exists already.
]]
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
