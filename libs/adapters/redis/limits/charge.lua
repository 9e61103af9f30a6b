--[[
Adds the cost of a provider call to one account, which belongs to a run or to one day of a tenant.
KEYS[1] the account
ARGV[1] calls   ARGV[2] tokens in   ARGV[3] cached part of ARGV[2]   ARGV[4] tokens out   ARGV[5] millionths of a cent
ARGV[6] expiry of an account after its last call (ms)
Costs are whole millionths of a cent, because sums of many small floats are inexact.
]]
local fields = { 'calls', 'tokensIn', 'tokensCached', 'tokensOut', 'microcents' }
for i, field in ipairs(fields) do
  if tonumber(ARGV[i]) > 0 then redis.call('HINCRBY', KEYS[1], field, ARGV[i]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
