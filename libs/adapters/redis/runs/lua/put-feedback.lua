--[[
Keeps an opinion beside its run, as long as the run itself is kept.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:feedback
ARGV[1] the opinion as JSON   ARGV[2] how many are kept
Returns 1, or 0 when the run is gone.
]]
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('LTRIM', KEYS[2], -ARGV[2], -1)
redis.call('PEXPIRE', KEYS[2], left)
return 1
