--[[
Creates a thread that contains the runs of another thread up to, but not including, the replaced run. All keys belong to
one tenant and are therefore in the same slot.
KEYS[1] thread:{tenant}:new   KEYS[2] thread-runs:{tenant}:new   KEYS[3] thread-about:{tenant}:new
KEYS[4] threads:{tenant}   KEYS[5] thread-runs:{tenant}:old
ARGV[1] the replaced run   ARGV[2] the last run of the new thread, or '' for none
ARGV[3] time after which the keys expire (ms)
ARGV[4] the new thread's hash   ARGV[5] the new thread's id   ARGV[6] the old thread's id   ARGV[7] now (ms)
Returns 1, or 0 if the new thread exists already.
]]
if redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then return 0 end
local runs, before = redis.call('LRANGE', KEYS[5], 0, -1), {}
for _, run in ipairs(runs) do
  if cjson.decode(run).id == ARGV[1] then break end
  before[#before + 1] = run
end
-- The old thread no longer lists the replaced run, so the runs before the replaced run are unknown.
if #before == #runs then before = {} end
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
if #before > 0 then
  redis.call('RPUSH', KEYS[2], unpack(before))
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
redis.call('HSET', KEYS[3], 'id', ARGV[5], 'branchOf', ARGV[6])
redis.call('ZADD', KEYS[4], ARGV[7], ARGV[4])
for i = 3, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
return 1
