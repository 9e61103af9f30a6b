--[[
Releases the lease of a run whose process stops. The next run continues the sync.
KEYS[1] sources:{<tenant>}:lease:<name>
ARGV[1] token of the run
Returns 1, or 0 if another run has the lease.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
