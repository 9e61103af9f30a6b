--[[
Returns a lease.
KEYS[1] review:{run id}:lease
ARGV[1] the reviewer   ARGV[2] channel of the desk
Returns nil if no lease is left, or the other holder.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if redis.call('DEL', KEYS[1]) == 1 then redis.call('PUBLISH', ARGV[2], '') end
return nil
