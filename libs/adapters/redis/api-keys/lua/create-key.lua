--[[
Stores a new API key.
KEYS[1] api-keys:{all}:by-hash   KEYS[2] api-keys:{all}:rows   KEYS[3] api-keys:{all}:tenant:<tenant>
ARGV[1] the API key's id   ARGV[2] the key's hash   ARGV[3] the key's stored form (row) as JSON
ARGV[4] the maximum number of keys per tenant
Returns 1, or 0 if the tenant already has the maximum number of keys.
]]
if redis.call('SCARD', KEYS[3]) >= tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('SADD', KEYS[3], ARGV[1])
return 1
