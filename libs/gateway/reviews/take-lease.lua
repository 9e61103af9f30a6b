--[[
Takes or renews the lease of a parked draft.
KEYS[1] review:{run id}:lease
ARGV[1] who   ARGV[2] how long (ms)
Returns {1, who, ms left} when the caller has it, {0, who, ms left} when another has.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return { 0, held, redis.call('PTTL', KEYS[1]) } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { 1, ARGV[1], tonumber(ARGV[2]) }
