--[[
Replaces the rules of a tenant, unless another process has changed the rules since the caller read them.
KEYS[1] rules:{tenant}
ARGV[1] the version that the caller read, or 0 if there were no rules   ARGV[2] the rules as JSON
Returns the new version, or 0 if another process has changed the rules.
]]
local held = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if held ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', held + 1, 'rules', ARGV[2])
return held + 1
