--[[
KEYS[1] run:{id}:state
Returns {now, run, policy, version}, or {now} when there is no such run.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'run', 'policy', 'version')
if not held[1] then return { now } end
return { now, held[1], held[2], held[3] }
