--[[
Deletes a source after its documents were removed or detached.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>   KEYS[3] sources:{<tenant>}:lease:<name>
KEYS[4] sources:{<tenant>}:documents:<name>
ARGV[1] name of the source   ARGV[2] token of the run
Returns 1, or 0 if another run has the lease (nothing written).
]]
if redis.call('GET', KEYS[3]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
return 1
