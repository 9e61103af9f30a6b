--[[
Renews the lease of a run and notes how far it is.
KEYS[1] sources:{<tenant>}:state:<name>   KEYS[2] sources:{<tenant>}:lease:<name>
ARGV[1] mark of the run   ARGV[2] how long the lease is (ms)   ARGV[3] how far it is as JSON, or ''
Returns nil where another has the source, else {what is asked by now or '', 'keep' or 'remove' or ''}.
]]
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'running', ARGV[3]) end
local held = redis.call('HMGET', KEYS[1], 'wanted', 'removing')
return { held[1] or '', held[2] or '' }
