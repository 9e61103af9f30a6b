--[[
Ends the reviewer's lease of a parked draft.
KEYS[1] review:{run id}:lease
ARGV[1] the reviewer   ARGV[2] channel of the desk
Returns the reviewer who has the lease if it is another one, else nil.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if redis.call('DEL', KEYS[1]) == 1 then redis.call('PUBLISH', ARGV[2], '') end
return nil
