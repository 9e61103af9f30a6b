--[[
Stores the state of a schedule, unless another process has changed the state since it was read.
KEYS[1] schedules:{tenant}:one:<id>
ARGV[1] mark (random id) of the state that was read   ARGV[2] the new state as JSON   ARGV[3] mark of the new state
Returns 1, or 0 if the schedule has changed or is gone.
]]
if redis.call('HGET', KEYS[1], 'mark') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'mark', ARGV[3])
return 1
