--[[
Removes a member from a due queue, which is a sorted set of members with due times. Keeps the member if another process
has changed its due time.
KEYS[1] runs:decided, documents:open and similar
ARGV[1] member   ARGV[2] the due time that the caller expects
Returns 1, or 0 if the member has another due time or is gone.
]]
local look = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not look or tonumber(look) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
