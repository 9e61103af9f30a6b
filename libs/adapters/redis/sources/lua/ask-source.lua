--[[
Notes what somebody asks of a source: a run, or its removal. Of several runs that are asked for, the last one counts.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>
ARGV[1] its name   ARGV[2] 'wanted' or 'removing'   ARGV[3] what is asked
Returns 'noted', 'gone' where there is no such source, or 'removing' where it is being removed and a run is asked for.
]]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'gone' end
if ARGV[2] == 'wanted' and redis.call('HEXISTS', KEYS[2], 'removing') == 1 then return 'removing' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 'noted'
