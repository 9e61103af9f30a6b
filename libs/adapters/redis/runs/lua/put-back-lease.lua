--[[
Releases a reviewer's lease of a draft that waits for a review. Does nothing if another reviewer has the lease.
KEYS[1] review:{run id}:lease
ARGV[1] the reviewer   ARGV[2] channel of the review desk
Returns the other reviewer if another reviewer has the lease, or nil.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if redis.call('DEL', KEYS[1]) == 1 then redis.call('PUBLISH', ARGV[2], '') end
return nil
