--[[
Ends a run: what came of it is kept and the source is free. What was asked meanwhile stays.
KEYS[1] sources:{<tenant>}:state:<name>   KEYS[2] sources:{<tenant>}:lease:<name>
ARGV[1] mark of the run   ARGV[2] what came of it as JSON   ARGV[3] the next run (ms), or ''   ARGV[4] what this run was asked, or ''
Returns nil where another run has the source (nothing written), else what is still asked, or ''.
]]
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
redis.call('HSET', KEYS[1], 'last', ARGV[2])
redis.call('HDEL', KEYS[1], 'running')
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], 'next') else redis.call('HSET', KEYS[1], 'next', ARGV[3]) end
local wanted = redis.call('HGET', KEYS[1], 'wanted')
if wanted == ARGV[4] then
  redis.call('HDEL', KEYS[1], 'wanted')
  wanted = false
end
redis.call('DEL', KEYS[2])
return wanted or ''
