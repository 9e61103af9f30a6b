--[[
Stores a request to run or remove a source. A later request for a run replaces an earlier request.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>
ARGV[1] name of the source   ARGV[2] 'wanted' or 'removing'   ARGV[3] the request
Returns 'noted', 'gone' if there is no such source, or 'removing' if a run is requested while the source is
being removed.
]]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'gone' end
if ARGV[2] == 'wanted' and redis.call('HEXISTS', KEYS[2], 'removing') == 1 then return 'removing' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 'noted'
