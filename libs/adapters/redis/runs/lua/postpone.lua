--[[
Moves the next look at a run, unless it was set anew meanwhile.
KEYS[1] runs:open:<lane>
ARGV[1] run id   ARGV[2] the next look as the caller knows it   ARGV[3] the next look it is to have
Returns 1, or 0 when nothing was moved.
]]
local look = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not look or tonumber(look) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
return 1
