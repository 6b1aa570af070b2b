"""What a matrix of faults is made from finds the calls by itself and hits what it aims at."""

import unittest

from harness import Exporter, TestCase, run
from matrix_machine import EVERYTHING, Call, MatrixMachine

QUICK = [f"--sampling.{group}-period=200ms" for group in ("fast", "health", "memory", "identity")]
TEMPERATURE = "ascend_npu_temperature_celsius"


class MatrixMachineTest(TestCase):
    def exporter(self, machine):
        return Exporter(*EVERYTHING, *QUICK, *machine.flags, env=machine.env)

    def test_the_calls_are_those_that_the_exporter_made(self):
        machine = MatrixMachine(self.folder, "8x910b", chips=2)
        with self.exporter(machine) as exporter:
            machine.wait_until_asked(exporter)
            calls = machine.calls(1)
            self.assertGreater(len(calls), 50)
            self.assertLessEqual({Call("dcmi_get_device_temperature", "1"),
                                  Call("dcmi_get_device_ecc_info", "1", "2"),
                                  Call("dcmi_get_device_info", "1", "16/5"),
                                  Call("dcmi_get_card_elabel_v2", "1/*")}, set(calls))
            self.assertLessEqual({Call("dcmi_init"), Call("dcmi_get_card_list"),
                                  Call("dcmi_subscribe_fault_event")},
                                 set(machine.calls_of_the_machine()))

    def test_a_machine_has_as_many_chips_as_wanted(self):
        for name, chips in (("8x910b", 3), ("16x910c", 20), ("2x950", 5)):
            machine = MatrixMachine(self.folder, name, chips=chips)
            with self.subTest(name=name), self.exporter(machine) as exporter:
                machine.wait_until_asked(exporter)
                self.assertEqual(exporter.page().devices(TEMPERATURE),
                                 {str(device) for device in machine.devices})
                self.assertEqual(len(machine.devices), chips)

    def test_a_fault_hits_one_call_of_one_device_while_it_lasts(self):
        machine = MatrixMachine(self.folder, "8x910b", chips=2)
        with self.exporter(machine) as exporter:
            machine.wait_until_asked(exporter)
            before = exporter.page()
            with machine.fault(Call("dcmi_get_device_temperature", "1"), "garbage text"):
                page = exporter.wait_for(lambda page: page.devices(TEMPERATURE) == {"0"})
                self.assertEqual(page.value("ascend_npu_up", device=1), 1)
            exporter.wait_for(lambda page: page.value(TEMPERATURE, device=1)
                              == before.value(TEMPERATURE, device=1))

    def test_calls_that_a_crash_rule_meets_are_counted(self):
        machine = MatrixMachine(self.folder, "8x910b", chips=2)
        crash = machine.crash("_exit", 1)
        self.assertEqual(machine.crashes(), 0)
        machine.set_rules(Call("dcmi_init").rule(crash))
        done = run("--isolation=none", "--web.listen-address=127.0.0.1:0", *machine.flags,
                   env=machine.env)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(machine.crashes(), 1)
        with self.exporter(machine) as exporter:
            machine.wait_until_asked(exporter)
            self.assertEqual(machine.crashes(), 2)


if __name__ == "__main__":
    unittest.main()
