--[[
Gives a lease back.
KEYS[1] review:{run id}:lease
ARGV[1] who
Returns {1, ''} when no lease is left, {0, who} when another has it.
]]
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return { 0, held } end
redis.call('DEL', KEYS[1])
return { 1, '' }
