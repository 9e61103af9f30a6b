--[[
Forgets a source whose documents are dealt with.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>   KEYS[3] sources:{<tenant>}:lease:<name>
KEYS[4] sources:{<tenant>}:documents:<name>
ARGV[1] its name   ARGV[2] mark of the run
Returns 1, or 0 where another run has the source (nothing written).
]]
if redis.call('GET', KEYS[3]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
return 1
