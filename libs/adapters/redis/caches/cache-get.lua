--[[
Reads the cached value of a field, unless the value has expired.
KEYS[1] cache:{<name>}:entries   KEYS[2] cache:{<name>}:ends
ARGV[1] field
Returns the value, or false.
]]
local ends = redis.call('ZSCORE', KEYS[2], ARGV[1])
local time = redis.call('TIME')
if not ends or tonumber(ends) <= time[1] * 1000 + math.floor(time[2] / 1000) then return false end
return redis.call('HGET', KEYS[1], ARGV[1])
