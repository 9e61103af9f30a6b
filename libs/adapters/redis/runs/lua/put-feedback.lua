--[[
Stores feedback on a run. The feedback expires with the run.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:feedback
ARGV[1] the feedback as JSON   ARGV[2] maximum number of entries; the oldest entries are removed
Returns 1, or 0 if the run is gone.
]]
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('LTRIM', KEYS[2], -ARGV[2], -1)
redis.call('PEXPIRE', KEYS[2], left)
return 1
