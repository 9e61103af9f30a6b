--[[
Postpones the next check of a run, unless another process has changed the due time of the run.
KEYS[1] runs:open:<lane>
ARGV[1] run id   ARGV[2] the due time that the caller expects   ARGV[3] the new due time
Returns 1, or 0 if the run has another due time or is not listed.
]]
local look = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not look or tonumber(look) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
return 1
