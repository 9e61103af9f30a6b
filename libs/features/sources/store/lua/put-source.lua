--[[
Stores the settings of a source. Stores nothing if the source is being removed, or if the tenant has too many sources.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>
ARGV[1] name of the source   ARGV[2] settings as JSON   ARGV[3] time of its next run (ms), or '' for none
ARGV[4] maximum number of the tenant's sources
Returns 'kept', 'removing' or 'too-many'.
]]
if redis.call('HEXISTS', KEYS[2], 'removing') == 1 then return 'removing' end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return 'too-many' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '' then redis.call('HDEL', KEYS[2], 'next') else redis.call('HSET', KEYS[2], 'next', ARGV[3]) end
return 'kept'
