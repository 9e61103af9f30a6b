--[[
Removes a member from a due list, unless it was rescheduled meanwhile.
KEYS[1] runs:decided, documents:open and similar
ARGV[1] member   ARGV[2] its due time as the caller knows it
Returns 1, or 0 if it remains.
]]
local look = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not look or tonumber(look) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
