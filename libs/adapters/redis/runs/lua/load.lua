--[[
Reads the text of a run.
KEYS[1] run:{id}:state
ARGV[1] the version that the caller knows, or ''
Returns {now, version, run, policy}, or {now} if there is no such run. Run and policy are '' if
the caller knows the current version.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return { now } end
if version == ARGV[1] then return { now, version, '', '' } end
local held = redis.call('HMGET', KEYS[1], 'run', 'policy')
return { now, version, held[1], held[2] }
