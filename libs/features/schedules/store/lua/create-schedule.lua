--[[
Stores a new schedule, unless the id exists already.
KEYS[1] schedules:{tenant}:one:<id>   KEYS[2] schedules:{tenant}:list
ARGV[1] id   ARGV[2] the schedule as JSON   ARGV[3] its state as JSON   ARGV[4] mark (random id) of the state
ARGV[5] hash of its body, '' for a random id   ARGV[6] now (ms)   ARGV[7] maximum number of the tenant's schedules
Returns 'created', 'exists' if the id exists with the same body, 'conflict' if the id exists with another body,
or 'too-many' if the tenant has the maximum number of schedules.
]]
local held = redis.call('HGET', KEYS[1], 'body')
if held then return held == ARGV[5] and 'exists' or 'conflict' end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return 'too-many' end
redis.call('HSET', KEYS[1], 'told', ARGV[2], 'state', ARGV[3], 'mark', ARGV[4], 'body', ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
return 'created'
