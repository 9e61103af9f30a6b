--[[
Gives a source back that a stopping process was at; the next run of it goes on.
KEYS[1] sources:{<tenant>}:lease:<name>
ARGV[1] mark of the run
Returns 1, or 0 where another run has the source.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
