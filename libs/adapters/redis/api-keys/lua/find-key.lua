--[[
Finds an API key by its hash.
KEYS[1] api-keys:{all}:by-hash   KEYS[2] api-keys:{all}:rows
ARGV[1] the hash
Returns its row as JSON, or nil.
]]
local id = redis.call('HGET', KEYS[1], ARGV[1])
return id and redis.call('HGET', KEYS[2], id)
