--[[
Ends the looks at a member, unless another look was asked for meanwhile.
KEYS[1] runs:decided, documents:open and the like
ARGV[1] member   ARGV[2] its next look as the caller knows it
Returns 1, or 0 when it stays.
]]
local look = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not look or tonumber(look) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
