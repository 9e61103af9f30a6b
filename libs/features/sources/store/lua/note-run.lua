--[[
Renews the lease of a run and stores its progress.
KEYS[1] sources:{<tenant>}:state:<name>   KEYS[2] sources:{<tenant>}:lease:<name>
ARGV[1] token of the run   ARGV[2] duration of the lease (ms)   ARGV[3] the run's progress as JSON, or ''
Returns nil if another run has the lease. Otherwise returns {the open request or '', removal mode}.
If the source is being removed, the removal mode says what happens to its documents: 'keep' or 'remove'. Otherwise the
removal mode is ''.
]]
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'running', ARGV[3]) end
local held = redis.call('HMGET', KEYS[1], 'wanted', 'removing')
return { held[1] or '', held[2] or '' }
