--[[
Takes or renews the lease of a draft that waits for a review, unless another reviewer has the lease.
KEYS[1] review:{run id}:lease
ARGV[1] the reviewer   ARGV[2] duration (ms)   ARGV[3] channel of the review desk
Returns {the reviewer who has the lease now, ms left}.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return { held, redis.call('PTTL', KEYS[1]) } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', ARGV[3], '')
return { ARGV[1], tonumber(ARGV[2]) }
