"""The series of the counters that the vendor's library and hccn_tool name: (name without
"ascend_npu_" and "_total", labels)."""

import re

_WAYS = {"tx": "transmit", "rx": "receive"}


def _network():
    names = {}
    for short, way in _WAYS.items():
        names[f"mac_{short}_mac_pause_num"] = f"network_{way}_pause_frames", {}
        names[f"mac_{short}_pfc_pkt_num"] = f"network_{way}_pfc_frames", {}
        for priority in range(8):
            names[f"mac_{short}_pfc_pri{priority}_pkt_num"] = (
                f"network_{way}_pfc_priority_frames", {"priority": priority})
        names[f"mac_{short}_total_pkt_num"] = f"network_{way}_packets", {}
        names[f"mac_{short}_total_oct_num"] = f"network_{way}_bytes", {}
        names[f"mac_{short}_bad_pkt_num"] = f"network_{way}_bad_packets", {}
        names[f"mac_{short}_bad_oct_num"] = f"network_{way}_bad_bytes", {}
        names[f"roce_{short}_all_pkt_num"] = f"roce_{way}_packets", {}
        names[f"roce_{short}_rc_pkt_num"] = f"roce_{way}_rc_packets", {}
        names[f"roce_{short}_err_pkt_num"] = f"roce_{way}_error_packets", {}
        names[f"roce_{short}_cnp_pkt_num"] = f"roce_{way}_cnp_packets", {}
        names[f"nic_{short}_all_pkg_num"] = f"nic_{way}_packets", {}
        names[f"nic_{short}_all_oct_num"] = f"nic_{way}_bytes", {}
    others = {"mac_rx_fcs_err_pkt_num": "network_receive_fcs_errors",
              "roce_cqe_num": "roce_completions", "roce_new_pkt_rty_num": "roce_retries",
              "roce_out_of_order_num": "roce_out_of_order",
              "roce_unexpected_ack_num": "roce_unexpected_acks",
              "roce_err_ack_num": "roce_ack_errors",
              "roce_err_psn_num": "roce_psn_errors",
              "roce_verification_err_num": "roce_verification_errors",
              "roce_err_qp_status_num": "roce_qp_status_errors",
              "roce_qp_status_err_num": "roce_qp_status_errors",
              "roce_ecn_db_num": "roce_ecn_marked"}
    return names | {counter: (name, {}) for counter, name in others.items()}


NETWORK = _network()

_UB = {"retry_req_sum": "ub_retry_requests", "retry_ack_sum": "ub_retry_acks",
       "crc_error_sum": "ub_crc_errors"}
_FLITS = {"rx_busi_flit_num": ("receive", "busi"), "rx_send_ack_flit": ("receive", "send_ack"),
          "tx_busi_flit_num": ("transmit", "busi"), "tx_recv_ack_flit": ("transmit", "recv_ack")}
_ERRORS = ("drop_ind", "err_ind", "route_err", "out_err", "length_err")
_MIB = {"pausepkts": "pause_frames", "pfcpkts": "pfc_frames", "badpkts": "bad_packets",
        "badoctets": "bad_bytes"}


def ub_series(counter):
    if counter in _UB:
        return _UB[counter], {}
    if counter in _FLITS:
        direction, kind = _FLITS[counter]
        return "ub_flits", {"direction": direction, "kind": kind}
    ethernet = re.fullmatch(r"core_mib_(rx|tx)(\w+)", counter)
    if ethernet:
        return f"network_{_WAYS[ethernet[1]]}_{_MIB[ethernet[2]]}", {}
    kind, way = re.fullmatch(r"(\w+?)(?:_pkt)?_cnt_(rx|tx)", counter).groups()
    if kind.startswith("to_"):
        return "ub_receive_dispatch_packets", {"target": kind}
    what = "errors" if kind in _ERRORS else "packets"
    return f"ub_{_WAYS[way]}_{what}", {"kind": kind}
